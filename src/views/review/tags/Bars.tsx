import { t } from "../../../lib/messages/review-tags.ts";
import type { TagList } from "../model/tags.ts";

/** Renders a list of tags with their scores, or the reason why it is empty. */
export function TagBars({ list: { name, tags, emptyReason } }: { list: TagList }) {
  return (
    <div className="mt-5">
      <h3 className="text-sm font-medium text-text-2">{name}</h3>
      {emptyReason && <p className="mt-1 text-sm text-text-2">{emptyReason}</p>}
      <ul className="mt-1.5 flex flex-col gap-1.5">
        {tags.map(({ label, score }) => (
          <li key={label} className="grid grid-cols-[minmax(0,8.5rem)_1fr_2.5rem] items-center gap-3">
            <span className="sr-only">{t("score", { label, percent: Math.round(score * 100) })}</span>
            <bdi aria-hidden title={label} className="truncate">
              {label}
            </bdi>
            <span aria-hidden className="h-1.5 overflow-hidden rounded-full bg-line">
              <span className="block h-full rounded-full bg-text-3" style={{ width: `${score * 100}%` }} />
            </span>
            <span aria-hidden className="tabular text-right text-sm text-text-2">
              {score.toFixed(2)}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
