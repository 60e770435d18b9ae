/** Window sizes, one of each layout. */
export const viewports = {
  MATCH: { width: 375, height: 812 },
  TABLET: { width: 1024, height: 768 },
  CLASSIC: { width: 1440, height: 900 },
} as const;

/** A phone: a touch screen, and a viewport that obeys the page's meta tag. */
export const phone = { viewport: viewports.MATCH, hasTouch: true, isMobile: true };

/** A desktop window. */
export const desktop = { viewport: viewports.CLASSIC };

/** A desktop window without animations, whose drawing would take longer than the tested action. */
export const stillDesktop = { ...desktop, reducedMotion: "reduce" } as const;
