/** Shows code or a request or response body with a copy button. */
import { Check, Copy } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { classNames } from "../lib/class-names.ts";
import { copyToClipboard } from "../lib/browser.ts";
import { IconButton } from "./IconButton.tsx";

interface Props {
  /** Accessible name. */
  label: string;
  text: string;
  /** Text to copy, if it differs from the shown text. */
  copyText?: string;
  copyLabel: string;
  copiedLabel: string;
  /** Wraps long lines instead of scrolling horizontally. */
  wrap?: boolean;
  /** Uses the height that the window allows. */
  tall?: boolean;
  className?: string;
}

const COPIED_MS = 4_000;

export function CodeBlock({ label, text, copyText = text, copyLabel, copiedLabel, wrap = false, tall = false, className }: Props) {
  const block = useRef<HTMLPreElement>(null);
  const [isCopied, setIsCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setIsCopied(false), COPIED_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);

  async function copy() {
    if (await copyToClipboard(copyText)) return setIsCopied(true);
    // Select the text, so that the user can copy it by keyboard.
    getSelection()?.selectAllChildren(block.current!);
    block.current?.focus();
  }

  return (
    <div className={classNames("relative min-w-0 rounded-md border border-line bg-bg", className)}>
      <pre
        ref={block}
        role="region"
        aria-label={label}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scroll container must be reachable by keyboard
        tabIndex={0}
        className={classNames(
          "overflow-auto p-3 pr-11 font-mono text-xs text-text-2",
          tall ? "max-h-[max(20rem,100dvh-20rem)]" : "max-h-80",
          wrap ? "break-words whitespace-pre-wrap" : "whitespace-pre",
        )}
      >
        {text}
      </pre>
      <IconButton label={isCopied ? copiedLabel : copyLabel} onClick={() => void copy()} className="absolute top-1.5 right-1.5 bg-bg">
        {isCopied ? <Check size={16} aria-hidden className="text-ok" /> : <Copy size={16} aria-hidden />}
      </IconButton>
      <span role="status" className="sr-only">
        {isCopied ? copiedLabel : ""}
      </span>
    </div>
  );
}
