/** Shows a text with a copy button; if the browser denies clipboard access, the text is selected instead. */
import { Check, Copy } from "lucide-react";
import { useEffect, useId, useRef, useState } from "react";
import { copyToClipboard } from "../lib/browser.ts";
import { Button } from "./Button.tsx";

interface Props {
  label: string;
  value: string;
  copyLabel: string;
  copiedLabel: string;
  /** Announced if the text could only be selected. */
  selectedLabel: string;
}

export function CopyField({ label, value, copyLabel, copiedLabel, selectedLabel }: Props) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [copyResult, setCopyResult] = useState<"copied" | "selected" | null>(null);
  useEffect(() => {
    if (!copyResult) return;
    const timer = setTimeout(() => setCopyResult(null), 4_000);
    return () => clearTimeout(timer);
  }, [copyResult]);

  async function copy() {
    if (await copyToClipboard(value)) return setCopyResult("copied");
    // Select the text, so that the user can copy it by keyboard.
    input.current?.focus();
    input.current?.select();
    setCopyResult("selected");
  }

  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      <div className="flex gap-2">
        <input
          ref={input}
          id={id}
          readOnly
          value={value}
          onFocus={(event) => event.target.select()}
          className="h-9 min-w-0 flex-1 rounded-md border border-field-line bg-bg px-3 font-mono text-sm"
        />
        <Button variant="primary" className="h-9" onClick={copy}>
          {copyResult === "copied" ? <Check size={16} aria-hidden /> : <Copy size={16} aria-hidden />}
          {copyResult === "copied" ? copiedLabel : copyLabel}
        </Button>
      </div>
      <p role="status" className="min-h-4.5 text-sm text-text-2">
        {copyResult === "selected" ? selectedLabel : ""}
      </p>
    </div>
  );
}
