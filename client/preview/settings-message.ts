import type texts from "../../locales/en/preview-panel.json";

/** What the message area of the settings says: a text's key, and what kind of message it is. */
export interface SettingsMessage {
  state: "info" | "success" | "error";
  text: keyof typeof texts;
}

export const messages = {
  loadingTests: { state: "info", text: "tests.loading" },
  testsFound: { state: "success", text: "tests.found" },
  noTests: { state: "info", text: "tests.empty" },
  testsFailed: { state: "error", text: "tests.failed" },
  groupMissing: { state: "error", text: "apply.groupMissing" },
  loading: { state: "info", text: "apply.loading" },
  applied: { state: "success", text: "apply.success" },
  applyFailed: { state: "error", text: "apply.failed" },
  logoutFailed: { state: "error", text: "logout.failed" },
} as const satisfies Record<string, SettingsMessage>;
