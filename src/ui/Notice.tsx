import { CircleAlert, CircleCheck, Info } from "lucide-react";
import type { ReactNode } from "react";
import { classNames } from "../lib/class-names.ts";

const TONES = {
  danger: { icon: CircleAlert, toneClasses: "bg-danger/12 text-danger" },
  ok: { icon: CircleCheck, toneClasses: "bg-ok/12 text-ok" },
  info: { icon: Info, toneClasses: "bg-info/12 text-info" },
};

interface Props {
  tone?: keyof typeof TONES;
  title?: ReactNode;
  children?: ReactNode;
  className?: string;
}

/** Shows an inline message about what just happened; screen readers announce it when it appears. */
export function Notice({ tone = "danger", title, children, className }: Props) {
  const { icon: Icon, toneClasses } = TONES[tone];
  return (
    <div role={tone === "danger" ? "alert" : "status"} className={classNames("flex gap-2.5 rounded-md px-3 py-2.5", toneClasses, className)}>
      <Icon size={18} aria-hidden className="mt-px shrink-0" />
      <div className="min-w-0">
        {title && <p className="font-semibold">{title}</p>}
        {children && <div className="text-text">{children}</div>}
      </div>
    </div>
  );
}
