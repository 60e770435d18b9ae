/** A colour as brands give it: red, green and blue, as in `#6f4a2f`. */
type Color = string;

/** Gives a colour with three quarters of its light. */
export function darken(color: Color): Color {
  const channels = channelsOf(color).map((channel) => Math.round(channel * 0.75));
  return `#${channels.map((channel) => channel.toString(16).padStart(2, "0")).join("")}`;
}

/** Gives the contrast of two colours, from 1 to 21: https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio */
export function contrastOf(color: Color, other: Color): number {
  const [light = 0, dark = 0] = [luminanceOf(color), luminanceOf(other)].sort((one, two) => two - one);
  return (light + 0.05) / (dark + 0.05);
}

/** Gives how light a colour is, from 0 to 1: https://www.w3.org/TR/WCAG22/#dfn-relative-luminance */
function luminanceOf(color: Color): number {
  const [red = 0, green = 0, blue = 0] = channelsOf(color).map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function channelsOf(color: Color): number[] {
  return [1, 3, 5].map((start) => Number.parseInt(color.slice(start, start + 2), 16));
}
