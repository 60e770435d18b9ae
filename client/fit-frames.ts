/** Makes each frame as high as the fragment in it. Without this script, frames have a fixed height, and scroll. */
for (const frame of document.querySelectorAll<HTMLIFrameElement>("iframe[data-fit]")) {
  frame.addEventListener("load", () => fitFrame(frame));
  // The frame may have loaded before this script ran.
  fitFrame(frame);
}

/** Keeps the frame as high as its page, which ends with a fragment. A page of another origin can't be measured. */
function fitFrame({ contentDocument, parentElement }: HTMLIFrameElement) {
  const fragment = contentDocument?.querySelector<HTMLElement>("[data-fragment]");
  if (!fragment || !parentElement) return;
  const observer = new ResizeObserver(() => {
    const margin = Number.parseFloat(getComputedStyle(fragment.ownerDocument.body).marginBottom);
    parentElement.style.height = `${fragment.offsetTop + fragment.offsetHeight + margin}px`;
  });
  observer.observe(fragment);
}
