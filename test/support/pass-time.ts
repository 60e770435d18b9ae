const systemNow = performance.now.bind(performance);
let ahead = 0;

/**
 * Lets the clock that only goes forward advance, in milliseconds. It stays ahead, as what has read it relies on that; a mock
 * would go back at the end of a test.
 */
export function passTime(time: number): void {
  ahead += time;
  performance.now = () => systemNow() + ahead;
}
