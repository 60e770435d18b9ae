import { createContext, type ReactNode } from "react";

/** Address of the file that holds every icon and flag. */
export const SpriteUrl = createContext("");

/** Tells the icons inside where their drawings are. */
export function IconSprite({ url, children }: { url: string; children: ReactNode }) {
  return <SpriteUrl value={url}>{children}</SpriteUrl>;
}
