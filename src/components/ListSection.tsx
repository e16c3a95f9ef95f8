/** Bordered lists under a heading, as in settings and members: the section, its rows, and its loading state. */
import type { ReactNode, RefObject } from "react";
import { classNames } from "../lib/class-names.ts";
import { RowsSkeleton } from "../ui/Skeleton.tsx";
import { LoadError } from "./ErrorNotice.tsx";

interface ListSectionProps {
  title: string;
  lead?: ReactNode;
  actions?: ReactNode;
  /** Set where the heading receives the focus of a removed row. */
  headingRef?: RefObject<HTMLHeadingElement | null>;
  children: ReactNode;
}

export function ListSection({ title, lead, actions, headingRef, children }: ListSectionProps) {
  return (
    <section className="mb-8 last:mb-0">
      <div className="mb-3 flex min-h-8 flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <div className="min-w-0 flex-[1_1_16rem]">
          <h2 ref={headingRef} tabIndex={headingRef && -1} className="text-lg font-semibold">
            {title}
          </h2>
          {lead && <p className="text-text-2">{lead}</p>}
        </div>
        {actions}
      </div>
      <div className="overflow-hidden rounded-lg border border-line px-4 dark:bg-bg/40">{children}</div>
    </section>
  );
}

interface ListRowProps {
  picture: ReactNode;
  title: ReactNode;
  details: ReactNode;
  /** Puts long actions below the text where there is no room beside it. */
  wraps?: boolean;
  children: ReactNode;
}

/** A row with a picture, a name, details under it, and actions at its end. */
export function ListRow({ picture, title, details, wraps = false, children }: ListRowProps) {
  return (
    <li className={classNames("-mx-4 flex min-h-15 items-center gap-3 border-b border-line px-4 py-2 last:border-0", wraps && "flex-wrap justify-end")}>
      {picture}
      <div className={classNames("min-w-0", wraps ? "flex-[1_1_12rem]" : "flex-1")}>
        <p className="flex min-w-0 flex-wrap items-center gap-x-2">{title}</p>
        <p className="text-sm text-text-3">{details}</p>
      </div>
      {children}
    </li>
  );
}

/** The picture of a row that shows no person. */
export const RowIcon = ({ children }: { children: ReactNode }) => (
  <span className="flex size-8 shrink-0 items-center justify-center rounded-full bg-hover text-text-2">{children}</span>
);

interface ListStateProps {
  query: { data: unknown; error: unknown; isError: boolean; refetch(): unknown };
  /** Number of rows of the placeholder. */
  rows: number;
}

/** Shows that a list is loading or could not be loaded; nothing once it has data. */
export function ListState({ query: { data, error, isError, refetch }, rows }: ListStateProps) {
  if (data !== undefined) return null;
  return isError ? <LoadError error={error} retry={() => void refetch()} className="my-4" /> : <RowsSkeleton rows={rows} />;
}
