import { classNames } from "../../lib/class-names.ts";
import { t } from "../../lib/texts/agent-badge.ts";
import { useIsAgent } from "../../queries/agents/agent-accounts.ts";

interface Props {
  /** The account whose name is beside the badge; null if nobody's is. */
  accountId: number | null;
  className?: string;
}

/** Marks the name of an agent, also for screen readers; renders nothing for a person. */
export const AgentBadge = ({ accountId, className }: Props) => useIsAgent(accountId) && <AgentMark className={className} />;

/** The mark itself, where the name is known to be an agent's. */
export const AgentMark = ({ className }: { className?: string | undefined }) => (
  <>
    {" "}
    <span
      data-agent-badge
      className={classNames(
        "inline-block h-4 shrink-0 self-center rounded-sm border border-line-strong px-1 text-[10px] leading-3.5 font-semibold tracking-wide whitespace-nowrap text-text-2 uppercase select-none",
        className,
      )}
    >
      {t("agent")}
    </span>
  </>
);
