import type { ReactNode } from "react";

/** In display order: first what needs no request, so that results that arrive later do not move what is chosen. */
export const PALETTE_SECTIONS = [
  "favorites",
  "recent",
  "projects",
  "people",
  "actions",
  "files",
  "playlists",
  "tasks",
  "messages",
  "comments",
  "documents",
  "search",
] as const;
type PaletteSection = (typeof PALETTE_SECTIONS)[number];

export interface PaletteEntry {
  key: string;
  section: PaletteSection;
  name: string;
  /** Shown instead of the name. */
  label?: ReactNode;
  /** Shown at the end of the entry and searched too. */
  detail?: string | undefined;
  icon: ReactNode;
  /** Shown only with a query, because there is one such entry per project. */
  requiresQuery?: true;
  /** Replaces the comparison of name and detail with what is typed. */
  matches?(typed: string): boolean;
  run(): void;
}
