const systemNow = performance.now.bind(performance);
let ahead = 0;

/**
 * Advances the monotonic clock, in milliseconds. It stays ahead, because code that has read it relies on that; a mock
 * would go back at the end of a test.
 */
export function passTime(time: number): void {
  ahead += time;
  performance.now = () => systemNow() + ahead;
}
