import { MicVocal } from "lucide-react";
import { classes } from "../lib/classes.ts";

export function Logo({ large = false }: { large?: boolean }) {
  return (
    <span
      aria-hidden
      className={classes("inline-flex shrink-0 items-center justify-center bg-accent text-accent-ink", large ? "size-10 rounded-lg" : "size-7 rounded-md")}
    >
      <MicVocal size={large ? 22 : 16} />
    </span>
  );
}
