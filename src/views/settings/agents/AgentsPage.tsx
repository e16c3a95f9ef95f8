/** The agents that the user sees. Owners and admins create them here. */
import { Bot, ChevronRight, Plus } from "lucide-react";
import { useState } from "react";
import { Link, useNavigate } from "react-router";
import type { Agent } from "../../../../contract/agent-records.ts";
import { LIMITS } from "../../../../contract/limits.ts";
import { useServiceTime } from "../../../client/client.ts";
import { AgentMark } from "../../../components/agents/AgentBadge.tsx";
import { Avatar } from "../../../components/Avatar.tsx";
import { ListSection, ListState } from "../../../components/ListSection.tsx";
import { roleName } from "../../../components/role-labels.ts";
import { t } from "../../../lib/texts/agents.ts";
import { formatRelativeTime } from "../../../lib/time.ts";
import { useAgents } from "../../../queries/agents/use-agents.ts";
import { useCan } from "../../../queries/permissions.ts";
import { Button } from "../../../ui/Button.tsx";
import { EmptyState } from "../../../ui/EmptyState.tsx";
import { StateMark } from "../../../ui/StateMark.tsx";
import { AgentForm } from "./AgentForm.tsx";

export function AgentsPage() {
  const agents = useAgents();
  const canManage = useCan("agent.manage");
  const navigate = useNavigate();
  const [isCreating, setIsCreating] = useState(false);
  const count = agents.data?.length ?? 0;
  const isFull = count >= LIMITS.agents;
  const createButton = canManage && (
    <Button icon={Plus} variant="primary" disabled={isFull} onClick={() => setIsCreating(true)}>
      {t("newAgent")}
    </Button>
  );
  return (
    <>
      <ListSection title={t("agents")} lead={t(canManage ? "lead" : "leadReadOnly")} actions={count > 0 && createButton}>
        <ListState query={agents} rows={3} />
        {agents.data && count === 0 && (
          <EmptyState icon={<Bot size={22} aria-hidden />} title={t("empty")} actions={createButton}>
            {t(canManage ? "emptyHelp" : "emptyReadOnly")}
          </EmptyState>
        )}
        <ul>
          {agents.data?.map((agent) => (
            <AgentRow key={agent.id} agent={agent} />
          ))}
        </ul>
      </ListSection>
      {canManage && isFull && <p className="text-text-2">{t("full", { most: LIMITS.agents })}</p>}
      {isCreating && <AgentForm agent={null} onSaved={({ id }) => void navigate(`/settings/agents/${id}`)} onClose={() => setIsCreating(false)} />}
    </>
  );
}

function AgentRow({ agent }: { agent: Agent }) {
  const now = useServiceTime();
  const { id, username, avatar_url: avatarUrl, user_info: about, role, project_ids: projectIds, last_active_at: lastActive } = agent;
  const details = [
    roleName(role),
    projectIds.length === 0 ? t("noProjects") : t("projectCount", { count: projectIds.length }),
    lastActive === null ? t("neverActive") : t("lastActive", { when: formatRelativeTime(lastActive, now) }),
  ];
  return (
    <li className="-mx-4 border-b border-line last:border-0">
      <Link to={`/settings/agents/${id}`} className="flex min-h-15 items-center gap-3 px-4 py-3 outline-offset-[-2px] hover:bg-hover">
        <Avatar id={id} name={username} url={avatarUrl} className={agent.paused ? "opacity-50" : undefined} />
        <span className="min-w-0 flex-1">
          <span className="flex min-w-0 flex-wrap items-center gap-x-2">
            <bdi className="min-w-0 truncate font-medium">{username}</bdi>
            <AgentMark />
            {agent.paused && <StateMark>{t("paused")}</StateMark>}
          </span>
          {about && <span className="line-clamp-1 text-sm text-text-2 wrap-anywhere">{about}</span>}
          <span className="block text-sm text-text-3">{details.join(" · ")}</span>
        </span>
        <ChevronRight size={16} aria-hidden className="shrink-0 text-text-3" />
      </Link>
    </li>
  );
}
