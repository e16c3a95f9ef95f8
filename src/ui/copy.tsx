import { Check, Copy } from "lucide-react";
import { type RefObject, useEffect, useRef, useState } from "react";
import { copyToClipboard } from "../lib/browser.ts";
import { classNames } from "../lib/class-names.ts";
import { t } from "../lib/texts/common.ts";
import { Button } from "./Button.tsx";
import { TextField } from "./Field.tsx";
import { IconButton } from "./IconButton.tsx";

const RESULT_MS = 4_000;

/** Returns a function that copies a text or, if the browser denies it, runs `select`, and the result of the last call for some seconds. */
function useCopy(text: string, select: () => void) {
  const [result, setResult] = useState<"copied" | "selected" | null>(null);
  useEffect(() => {
    if (!result) return;
    const timer = setTimeout(() => setResult(null), RESULT_MS);
    return () => clearTimeout(timer);
  }, [result]);
  async function copy() {
    if (await copyToClipboard(text)) return setResult("copied");
    // The user can copy the selected text by keyboard.
    select();
    setResult("selected");
  }
  return { result, copy: () => void copy(), Icon: result === "copied" ? Check : Copy };
}

/** Shows a text with a copy button. */
export function CopyField({ label, value }: { label: string; value: string }) {
  const input = useRef<HTMLInputElement>(null);
  const { result, copy, Icon } = useCopy(value, () => {
    input.current?.focus();
    input.current?.select();
  });
  return (
    <div className="flex flex-col gap-1.5">
      <div className="flex items-end gap-2">
        <TextField
          ref={input}
          label={label}
          value={value}
          readOnly
          onChange={() => {}}
          onFocus={(event) => event.target.select()}
          className="min-w-0 flex-1 font-mono [&_label]:font-sans"
        />
        <Button icon={Icon} variant="primary" className="h-9" onClick={copy}>
          {t(result === "copied" ? "copied" : "copy")}
        </Button>
      </div>
      <p role="status" className="min-h-4.5 text-sm text-text-2">
        {result === "selected" ? t("copyManually") : ""}
      </p>
    </div>
  );
}

interface CopyButtonProps {
  /** Accessible name; begins with the shown word. */
  label: string;
  text: string;
  /** Selected if the browser denies copying. */
  target: RefObject<HTMLElement | null>;
  /** Shows only the icon. */
  isIcon?: boolean;
}

/** Copies a text that stands beside it. */
export function CopyButton({ label, text, target, isIcon = false }: CopyButtonProps) {
  const { result, copy, Icon } = useCopy(text, () => {
    if (target.current) getSelection()?.selectAllChildren(target.current);
  });
  const shown = t(result === "copied" ? "copied" : "copy");
  return (
    <>
      {isIcon ? (
        <IconButton label={label} onClick={copy} className="size-7">
          <Icon size={14} aria-hidden className={result === "copied" ? "text-ok" : undefined} />
        </IconButton>
      ) : (
        <Button size="sm" variant="ghost" icon={Icon} aria-label={result === "copied" ? shown : label} onClick={copy}>
          {shown}
        </Button>
      )}
      <span role="status" className="sr-only">
        {result === "copied" ? t("copied") : result === "selected" ? t("copyManually") : ""}
      </span>
    </>
  );
}

interface CodeBlockProps {
  /** Accessible name. */
  label: string;
  text: string;
  /** Text to copy, if it differs from the shown text. */
  copyText?: string;
  /** Wraps long lines instead of scrolling horizontally. */
  wrap?: boolean;
  /** Uses the height that the window allows. */
  tall?: boolean;
  className?: string;
}

/** Shows code or a request or response body with a copy button. */
export function CodeBlock({ label, text, copyText = text, wrap = false, tall = false, className }: CodeBlockProps) {
  const block = useRef<HTMLPreElement>(null);
  const { result, copy, Icon } = useCopy(copyText, () => {
    getSelection()?.selectAllChildren(block.current!);
    block.current?.focus();
  });
  const copyLabel = t(result === "copied" ? "copied" : "copy");
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
      <IconButton label={copyLabel} onClick={copy} className="absolute top-1.5 right-1.5 bg-bg">
        <Icon size={16} aria-hidden className={result === "copied" ? "text-ok" : undefined} />
      </IconButton>
      <span role="status" className="sr-only">
        {result === "copied" ? copyLabel : ""}
      </span>
    </div>
  );
}
