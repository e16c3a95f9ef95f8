import { MicVocal } from "lucide-react";
import { classNames } from "../lib/class-names.ts";

export function Logo({ large = false }: { large?: boolean }) {
  return (
    <span
      aria-hidden
      className={classNames("inline-flex shrink-0 items-center justify-center bg-accent text-accent-ink", large ? "size-10 rounded-lg" : "size-7 rounded-md")}
    >
      <MicVocal size={large ? 22 : 16} />
    </span>
  );
}
