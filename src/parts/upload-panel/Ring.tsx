import { classes } from "../../lib/classes.ts";

const RADIUS = 7;

/** Shows progress as a ring of icon size. */
export function Ring({ percent, inactive, label }: { percent: number; inactive: boolean; label: string }) {
  return (
    <span role="progressbar" aria-label={label} aria-valuenow={percent} aria-valuemin={0} aria-valuemax={100} className="flex">
      <svg aria-hidden viewBox="0 0 18 18" width={18} height={18} className={classes("-rotate-90", inactive ? "text-text-3" : "text-accent")}>
        <circle cx={9} cy={9} r={RADIUS} fill="none" stroke="var(--line-strong)" strokeWidth={2.5} />
        <circle cx={9} cy={9} r={RADIUS} fill="none" stroke="currentColor" strokeWidth={2.5} pathLength={100} strokeDasharray={`${percent} 100`} />
      </svg>
    </span>
  );
}
