import { classes } from "../lib/classes.ts";

/** A grey block in the place and size of what is loading. */
export function Skeleton({ className }: { className: string }) {
  return <span aria-hidden className={classes("block animate-pulse bg-hover", !className.includes("rounded-") && "rounded-sm", className)} />;
}
