/** Window sizes, one of each layout. */
export const viewports = {
  MATCH: { width: 375, height: 812 },
  TABLET: { width: 1024, height: 768 },
  CLASSIC: { width: 1440, height: 900 },
} as const;

/** A phone: touch, and a viewport that obeys the page's meta tag. */
export const phone = { viewport: viewports.MATCH, hasTouch: true, isMobile: true };

/** A desktop window. */
export const desktop = { viewport: viewports.CLASSIC };

/** A desktop window in which nothing is animated: drawing that takes longer than what is tried in it. */
export const stillDesktop = { ...desktop, reducedMotion: "reduce" } as const;
