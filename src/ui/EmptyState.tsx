import type { ReactNode } from "react";

interface Props {
  icon?: ReactNode;
  title: string;
  /** What to do next. */
  children?: ReactNode;
  actions?: ReactNode;
}

/** Shown in place of an empty list or view. */
export function EmptyState({ icon, title, children, actions }: Props) {
  return (
    <div className="mx-auto flex max-w-100 flex-col items-center px-4 py-10 text-center">
      {icon && <div className="mb-4 flex size-12 items-center justify-center rounded-lg border border-line bg-raised text-text-2">{icon}</div>}
      <p className="text-lg font-semibold">{title}</p>
      {children && <div className="mt-1.5 text-text-2">{children}</div>}
      {actions && <div className="mt-5 flex flex-wrap justify-center gap-2">{actions}</div>}
    </div>
  );
}
