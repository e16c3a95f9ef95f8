import { memo } from "react";
import type { LoudnessWarning } from "../facts/audio-facts.ts";
import { useVisibleRange } from "../player/player-context.ts";
import { isRangeVisible, toX } from "./viewport.ts";

/** Marks the places of warnings at the top of the waveform. The list of warnings names them, so assistive technology skips the marks. */
export const WarningMarks = memo(function WarningMarks({ warnings }: { warnings: readonly LoudnessWarning[] }) {
  const view = useVisibleRange();
  return (
    <div aria-hidden data-testid="warning-marks" className="pointer-events-none absolute inset-x-0 top-0 h-1.5">
      {warnings.flatMap(({ code, places }) =>
        places
          .filter(({ from, to }) => isRangeVisible(view, from, to))
          .map(({ from, to }) => {
            const left = toX(view, from);
            return (
              <span
                key={`${code} ${from}`}
                className={code === "clipping" ? "absolute top-0 h-1.5 bg-danger" : "absolute top-0 h-1 bg-info"}
                style={{ left, width: Math.max(2, toX(view, to) - left) }}
              />
            );
          }),
      )}
    </div>
  );
});
