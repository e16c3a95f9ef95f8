import type { ReactNode } from "react";
import { classes } from "../../../lib/classes.ts";

export type Tone = "ok" | "danger" | "quiet" | "busy";

const TONE_CLASSES: Record<Tone, string> = { ok: "text-ok", danger: "text-danger", quiet: "text-text-2", busy: "text-info" };

/** Renders a state label with a dot in its color. */
export function StateDot({ tone, children }: { tone: Tone; children: ReactNode }) {
  return (
    <span className={classes("tabular inline-flex min-w-0 items-center gap-1.5 text-sm font-medium", TONE_CLASSES[tone])}>
      <span aria-hidden className="size-2 shrink-0 rounded-full bg-current" />
      <span className="min-w-0 truncate">{children}</span>
    </span>
  );
}
