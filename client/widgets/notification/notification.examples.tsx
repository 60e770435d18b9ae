import { useState } from "react";
import { Button } from "../button/Button.tsx";
import { TextLink } from "../text-link/TextLink.tsx";
import type { WidgetDoc, WidgetTextKey } from "../widget-doc.ts";
import { Notification, notificationStates, notificationVariants } from "./Notification.tsx";

const messages = {
  info: "Orders of today leave our warehouse on Monday.",
  success: "We have saved your changes.",
  error: "Your changes could not be saved. Please try again later.",
  warning: "Only three of these are left.",
} as const;

function Saving({ label }: { label: string }) {
  const [saved, setSaved] = useState(0);
  return (
    <>
      <Button onClick={() => setSaved(saved + 1)}>Save</Button>
      <Notification role="status" state="success" variant="copysize" label={label}>
        {saved > 0 && `Saved ${saved} times.`}
      </Notification>
    </>
  );
}

function Closable({ label, closeLabel }: { label: string; closeLabel: string }) {
  const [shown, setShown] = useState(true);
  if (!shown) return <Button onClick={() => setShown(true)}>Show again</Button>;
  return (
    <Notification label={label} close={{ label: closeLabel, onClick: () => setShown(false) }}>
      {messages.info}
    </Notification>
  );
}

export const notificationDoc: WidgetDoc = {
  widget: "notification",
  title: "Notification",
  group: "messages",
  purpose: "Tells people what has happened, or what to know before they continue.",
  do: [
    "Render a live region from the start, without a message, and put the message in later.",
    "Use status for success, and alert for what stops people from continuing.",
    "Say what to do next.",
  ],
  dont: [
    "Don’t let a message disappear on its own.",
    "Don’t show the error of a field here. Show it at the field.",
    "Don’t add a live region together with its message: screen readers often miss it.",
  ],
  texts: [
    "notification.info",
    "notification.success",
    "notification.error",
    "notification.warning",
    "notification.close",
  ],
  accessibility: [
    "Screen readers read the label where others see an icon and a colour.",
    "With a role, it’s a live region: a status is announced at the next pause, an alert immediately.",
    "Closing it removes the focused element, so move the focus to where people continue.",
  ],
  examples: [
    ...notificationVariants.flatMap((variant) =>
      notificationStates.map((state) => ({
        name: `${variant} ${state}`,
        variant,
        state,
        render: (texts: Record<WidgetTextKey, string>) => (
          <Notification variant={variant} state={state} label={texts[`notification.${state}`]}>
            {messages[state]}
          </Notification>
        ),
      })),
    ),
    {
      name: "with a link",
      variant: "banner",
      state: "warning",
      render: (texts) => (
        <Notification state="warning" label={texts["notification.warning"]}>
          <p>The link in your mail is no longer valid.</p>
          <TextLink href="/widgets" icon="chevron-right">
            Sign up again
          </TextLink>
        </Notification>
      ),
    },
    {
      name: "with a close button",
      variant: "banner",
      state: "info",
      render: (texts) => <Closable label={texts["notification.info"]} closeLabel={texts["notification.close"]} />,
      code: `const [shown, setShown] = useState(true);
…
{shown && (
  <Notification label={texts.info} close={{ label: texts.close, onClick: () => setShown(false) }}>
    Orders of today leave our warehouse on Monday.
  </Notification>
)}`,
    },
    {
      name: "live region",
      variant: "copysize",
      state: "success",
      render: (texts) => <Saving label={texts["notification.success"]} />,
      code: `<Notification role="status" state="success" variant="copysize" label={texts.success}>
  {saved && "Your changes are saved."}
</Notification>`,
    },
  ],
};
