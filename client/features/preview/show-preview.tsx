import { createRoot } from "react-dom/client";
import { PreviewPanel } from "./PreviewPanel.tsx";
import { integrity, file as styles } from "./preview.css?built";

/**
 * Shows the preview panel: in the footer if that is marked as its place, otherwise at the end of the page.
 * @param footer - names the site and its time zone
 */
export async function showPreview(footer: HTMLElement): Promise<void> {
  const { site = "", timeZone = "UTC", preview } = footer.dataset;
  const mount = document.createElement("div");
  mount.className = "sf-root sf-fragment sf-preview";
  mount.lang = "en";
  mount.dataset.island = "preview";
  mount.dataset.islandState = "loading";
  (preview === undefined ? document.body : footer).append(mount);
  try {
    await Promise.all([loadStyles(), loadTemporal()]);
    const panel = <PreviewPanel site={site} locale={footer.lang} timeZone={timeZone} />;
    createRoot(mount).render(panel);
    mount.dataset.islandState = "ready";
  } catch {
    // The browser has logged what it couldn't load.
    mount.dataset.islandState = "failed";
  }
}

function loadStyles(): Promise<void> {
  return new Promise((resolve, reject) => {
    const link = document.createElement("link");
    link.rel = "stylesheet";
    link.href = new URL(styles, import.meta.url).href;
    link.integrity = integrity;
    link.crossOrigin = "anonymous";
    link.onload = () => resolve();
    link.onerror = () => reject(new Error("the stylesheet of the preview hasn't loaded"));
    document.head.append(link);
  });
}

/** Loads the Temporal API for browsers that lack it (https://caniuse.com/temporal). */
async function loadTemporal(): Promise<void> {
  if (!("Temporal" in globalThis)) await import("temporal-polyfill/global");
}
