import type { Demo, DemoStep } from "../../../../contract/operations/demo.ts";
import { t } from "../../../lib/messages/welcome.ts";

const STEP_LABELS: Record<DemoStep, string> = { people: t("people"), songs: t("songs"), chat: t("chat"), listening: t("listening") };

/** Shows the demo's current step and overall progress. */
export function DemoProgress({ demo: { step, progress, state } }: { demo: Demo }) {
  const fraction = state === "done" ? 1 : progress;
  return (
    <div>
      <div
        role="progressbar"
        aria-label={t("progress")}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(fraction * 100)}
        className="h-1.5 overflow-hidden rounded-full bg-hover"
      >
        <div className="h-full rounded-full bg-accent transition-[width]" style={{ width: `${fraction * 100}%` }} />
      </div>
      <p role="status" className="mt-3 text-text-2">
        {STEP_LABELS[step ?? "listening"]}
      </p>
    </div>
  );
}
