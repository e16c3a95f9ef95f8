/** Marks a person's picture as present; purely visual, so state the presence in text beside it. */
export function PresenceDot() {
  return <span aria-hidden data-presence className="absolute z-1 -right-0.5 -bottom-0.5 size-2 rounded-full bg-ok ring-2 ring-surface" />;
}
