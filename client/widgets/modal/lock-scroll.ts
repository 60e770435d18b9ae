const locked = ["overflow", "scrollbar-gutter"] as const;

/**
 * Keeps the page from scrolling. Its content stays where it is, as the room of a scrollbar is kept free.
 * @returns a function that lets the page scroll again
 */
export function lockScroll(): () => void {
  const root = document.documentElement;
  const before = locked.map((property) => [property, root.style.getPropertyValue(property)] as const);
  // A gutter where there was no scrollbar would itself move the content.
  if (window.innerWidth > root.clientWidth) root.style.setProperty("scrollbar-gutter", "stable");
  root.style.setProperty("overflow", "hidden");
  return () => {
    for (const [property, value] of before) root.style.setProperty(property, value);
  };
}
