import { useId } from "react";
import { Button } from "../../../ui/Button.tsx";

interface Props {
  label: string;
  help: string;
  primary?: boolean;
  pending?: boolean;
  onSelect(): void;
}

/** Renders one of two options with an explanation. */
export function OptionCard({ label, help, primary = false, pending = false, onSelect }: Props) {
  const helpId = useId();
  return (
    <div className="flex flex-col gap-2 rounded-md border border-line p-4">
      <p id={helpId} className="text-text-2">
        {help}
      </p>
      <Button variant={primary ? "primary" : "secondary"} size="lg" aria-describedby={helpId} pending={pending} onClick={onSelect}>
        {label}
      </Button>
    </div>
  );
}
