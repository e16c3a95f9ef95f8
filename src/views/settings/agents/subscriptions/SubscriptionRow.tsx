import { Ellipsis, History, KeyRound, Pause, Pencil, Play, Trash2 } from "lucide-react";
import type { EventSubscription } from "../../../../../contract/agent-subscription-records.ts";
import { useServiceTime } from "../../../../client/client.ts";
import { ErrorNotice } from "../../../../components/ErrorNotice.tsx";
import { formatUrl } from "../../../../lib/format.ts";
import { t } from "../../../../lib/texts/agent-subscriptions.ts";
import { formatDayTime, formatRelativeTime } from "../../../../lib/time.ts";
import { useUpdateSubscription } from "../../../../queries/agents/agent-subscriptions.ts";
import { announce } from "../../../../ui/announce.ts";
import { Button } from "../../../../ui/Button.tsx";
import { iconButtonClasses } from "../../../../ui/IconButton.tsx";
import { Menu, MenuItem } from "../../../../ui/Menu.tsx";
import { StateMark } from "../../../../ui/StateMark.tsx";

interface SubscriptionRowProps {
  subscription: EventSubscription;
  onOpen(dialog: "edit" | "rotate" | "delete" | "deliveries"): void;
}

const DISABLED_TEXTS: Readonly<Record<string, string>> = { paused: t("paused"), gone: t("gone"), failing: t("failing"), token_ended: t("tokenEnded") };

export function SubscriptionRow({ subscription, onOpen }: SubscriptionRowProps) {
  const now = useServiceTime();
  const update = useUpdateSubscription({ agentId: subscription.agent_id, id: subscription.id });
  const { enabled, event_types: types, project_ids: projectIds, last_delivered_at: lastDelivered, failing_since: failingSince } = subscription;
  const url = formatUrl(subscription.url);
  const togglePause = () => update.mutate({ enabled: !enabled }, { onSuccess: (saved) => announce(t(saved.enabled ? "isResumed" : "isPaused")) });
  const facts = [
    t("eventCount", { count: types.length }),
    projectIds === null ? t("allProjects") : t("projectCount", { count: projectIds.length }),
    lastDelivered === null ? t("neverDelivered") : t("lastDelivered", { when: formatRelativeTime(lastDelivered, now) }),
  ];
  return (
    <li className="-mx-4 border-b border-line px-4 last:border-0">
      <div className="flex items-center gap-3 py-3">
        <div className="min-w-0 flex-1">
          <p className="flex flex-wrap items-center gap-x-2">
            <span className="font-medium wrap-anywhere">{url}</span>
            {!enabled && <StateMark>{DISABLED_TEXTS[subscription.disabled_reason ?? "paused"] ?? t("paused")}</StateMark>}
          </p>
          <p className="text-sm text-text-3">{facts.join(" · ")}</p>
          {enabled && failingSince !== null && <p className="text-sm text-danger">{t("failingSince", { when: formatDayTime(failingSince, now) })}</p>}
        </div>
        <Button size="sm" icon={History} aria-label={t("deliveriesOf", { url })} onClick={() => onOpen("deliveries")}>
          {t("deliveries")}
        </Button>
        <Menu label={t("more", { url })} trigger={<Ellipsis size={18} aria-hidden />} triggerClassName={iconButtonClasses} align="end">
          <MenuItem icon={<Pencil size={16} aria-hidden />} onSelect={() => onOpen("edit")}>
            {t("edit")}
          </MenuItem>
          <MenuItem icon={enabled ? <Pause size={16} aria-hidden /> : <Play size={16} aria-hidden />} onSelect={togglePause}>
            {t(enabled ? "pause" : "resume")}
          </MenuItem>
          <MenuItem icon={<KeyRound size={16} aria-hidden />} onSelect={() => onOpen("rotate")}>
            {t("rotate")}
          </MenuItem>
          <MenuItem icon={<Trash2 size={16} aria-hidden />} danger onSelect={() => onOpen("delete")}>
            {t("delete")}
          </MenuItem>
        </Menu>
      </div>
      <ErrorNotice error={update.error} className="mb-3" />
    </li>
  );
}
