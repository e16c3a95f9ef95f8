import { useState } from "react";
import { t } from "../../../../lib/texts/document.ts";
import { fieldClasses } from "../../../../ui/Field.tsx";
import { submitTo } from "../../../../ui/text-input.ts";

/** Shows the number of the page in view, and opens another one. */
export function PageField({ page, count, onOpen }: { page: number; count: number; onOpen(page: number): void }) {
  const [typed, setTyped] = useState<string | null>(null);
  function commit() {
    const number = Number(typed);
    if (typed !== null && Number.isInteger(number) && number > 0) onOpen(Math.min(number, count));
    setTyped(null);
  }
  return (
    <form onSubmit={submitTo(commit)} className="flex items-center gap-1.5 text-text-2 tabular-nums">
      <input
        aria-label={t("pageField")}
        inputMode="numeric"
        maxLength={4}
        value={typed ?? page}
        onChange={(event) => setTyped(event.target.value)}
        onFocus={(event) => event.target.select()}
        onBlur={commit}
        className={`${fieldClasses()} h-8 w-12! px-1 text-center`}
      />
      <span className="whitespace-nowrap">{t("ofPages", { count })}</span>
    </form>
  );
}
