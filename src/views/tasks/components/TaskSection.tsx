import { useId, type ReactNode } from "react";

/** Renders a list of tasks under a heading. */
export function TaskSection({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="mb-6">
      <h2 id={id} className="mb-1 font-semibold">
        {title}
      </h2>
      <ul className="divide-y divide-line rounded-lg border border-line px-3 dark:bg-bg/40">{children}</ul>
    </section>
  );
}
