import { classes } from "../lib/classes.ts";

/** A gray block at the position and size of loading content. */
export function Skeleton({ className }: { className: string }) {
  return <span aria-hidden className={classes("block animate-pulse bg-hover", !className.includes("rounded-") && "rounded-sm", className)} />;
}
