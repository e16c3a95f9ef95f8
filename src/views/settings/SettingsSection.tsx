import type { ReactNode } from "react";

interface SettingsSectionProps {
  title: string;
  lead?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}

/** Renders one section of a settings page. */
export function SettingsSection({ title, lead, actions, children }: SettingsSectionProps) {
  return (
    <section className="mb-8 last:mb-0">
      <div className="mb-3 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <div className="min-w-0">
          <h2 className="text-lg font-semibold">{title}</h2>
          {lead && <p className="text-text-2">{lead}</p>}
        </div>
        {actions}
      </div>
      <div className="overflow-hidden rounded-lg border border-line px-4 dark:bg-bg/40">{children}</div>
    </section>
  );
}
