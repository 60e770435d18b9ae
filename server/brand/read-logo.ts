import type { BrandFile } from "../../schemas/types.ts";
import { findSvgFaults } from "../images/find-svg-faults.ts";

/** The logo as pages show it: in the page itself, so that the browser asks for nothing. */
export interface LogoImage {
  url: string;
  width: number;
  height: number;
}

const defaultHeight = 36;

/** Every page has the logo in it. */
const mostBytes = 10 * 1024;

/**
 * Reads a brand's logo.
 * @param read - gives the content of a file of the shop's folder
 * @param faults - gets what is wrong with it
 */
export function readLogo(
  { file, height = defaultHeight }: NonNullable<BrandFile["logo"]>,
  read: (file: string, field: string) => Buffer | undefined,
  faults: string[],
): LogoImage | undefined {
  const content = read(file, "/logo/file");
  if (!content) return undefined;
  const svg = content.toString("utf8");
  const found = findSvgFaults(svg);
  if (content.length > mostBytes) found.push(`must not be larger than ${mostBytes / 1024} kB`);
  faults.push(...found.map((fault) => `/logo/file ${file} ${fault}`));
  const [, width, drawnHeight] = /\bviewBox\s*=\s*["'](?:[^"'\s,]+[\s,]+){2}([^\s,]+)[\s,]+([^"'\s,]+)/.exec(svg) ?? [];
  return {
    url: `data:image/svg+xml,${encodeURIComponent(svg)}`,
    width: Math.round((Number(width) / Number(drawnHeight)) * height),
    height,
  };
}
