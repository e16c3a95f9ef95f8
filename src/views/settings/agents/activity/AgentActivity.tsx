/** The log of what an agent did, newest first, with undo. */
import { Activity } from "lucide-react";
import { useState } from "react";
import { AGENT_ACTION_RETENTION_DAYS } from "../../../../../contract/limits.ts";
import { ListSection, ListState } from "../../../../components/ListSection.tsx";
import { t } from "../../../../lib/texts/agent-activity.ts";
import { ALL_ACTIONS, useAgentActions } from "../../../../queries/agents/agent-actions.ts";
import { useProjects } from "../../../../queries/projects.ts";
import { Button } from "../../../../ui/Button.tsx";
import { EmptyState } from "../../../../ui/EmptyState.tsx";
import { Select } from "../../../../ui/Select.tsx";
import { ActionRow } from "./ActionRow.tsx";

export function AgentActivity({ agentId }: { agentId: number }) {
  const [projectId, setProjectId] = useState<number | null>(null);
  const log = useAgentActions(agentId, { ...ALL_ACTIONS, projectId });
  const projects = useProjects().data ?? [];
  const options = [[null, t("allProjects")], ...projects.map((project) => [project.id, project.name] as const)] as const;
  return (
    <ListSection
      title={t("activity")}
      lead={t("lead", { days: AGENT_ACTION_RETENTION_DAYS })}
      actions={projects.length > 1 && <Select compact label={t("project")} value={projectId} options={options} onChange={setProjectId} />}
    >
      <ListState query={{ ...log, data: log.actions }} rows={3} />
      {log.actions?.length === 0 &&
        (projectId === null ? (
          <EmptyState icon={<Activity size={22} aria-hidden />} title={t("empty")}>
            {t("emptyHelp")}
          </EmptyState>
        ) : (
          <EmptyState title={t("noneInProject")} actions={<Button onClick={() => setProjectId(null)}>{t("allProjects")}</Button>} />
        ))}
      {log.actions && log.actions.length > 0 && (
        <ol aria-label={t("activity")}>
          {log.actions.map((action) => (
            <ActionRow key={action.id} action={action} />
          ))}
        </ol>
      )}
      {log.hasNextPage && (
        <Button className="my-3" pending={log.isFetchingNextPage} onClick={() => void log.fetchNextPage()}>
          {t("older")}
        </Button>
      )}
    </ListSection>
  );
}
