import { useState } from "react";
import {
  type NotificationKind,
  type NotificationSettings,
  PROJECT_KINDS,
  type ProjectNotificationSettings,
} from "../../../../contract/notification-records.ts";
import { ListSection, ListState } from "../../../components/ListSection.tsx";
import { t } from "../../../lib/texts/notifications.ts";
import { useProjectNotificationSettings } from "../../../queries/notifications/use-settings.ts";
import { useProjects } from "../../../queries/projects.ts";
import { Button } from "../../../ui/Button.tsx";
import { CheckField } from "../../../ui/Field.tsx";
import { Select } from "../../../ui/Select.tsx";
import { ChannelTable } from "./ChannelTable.tsx";
import { useChangeProjectSettings } from "./use-change-settings.ts";

/** The projects that are muted or have settings of their own. */
export function ProjectSettings({ account }: { account: NotificationSettings }) {
  const query = useProjectNotificationSettings();
  const projects = useProjects().data ?? [];
  /** Added or changed since the page was opened: these stay, also without settings of their own. */
  const [touched, setTouched] = useState<ReadonlyMap<number, "added" | "changed">>(new Map());
  const touch = (id: number, how: "added" | "changed") => setTouched((previous) => (previous.has(id) ? previous : new Map([...previous, [id, how]])));
  const stored = query.data ?? [];
  const isListed = (id: number) => touched.has(id) || stored.some((settings) => settings.project_id === id && hasOwnSettings(settings));
  const listed = projects.filter(({ id }) => isListed(id)).toSorted((a, b) => a.name.localeCompare(b.name));
  const others = projects.filter(({ id }) => !isListed(id)).toSorted((a, b) => a.name.localeCompare(b.name));
  return (
    <ListSection
      title={t("projectsTitle")}
      lead={t("projectsLead")}
      actions={
        query.data && others.length > 0 ? (
          <Select<number | null>
            compact
            className="w-48"
            label={t("addProject")}
            value={null}
            options={[[null, t("addProject")], ...others.map(({ id, name }) => [id, name] as const)]}
            onChange={(id) => id !== null && touch(id, "added")}
          />
        ) : undefined
      }
    >
      <ListState query={query} rows={2} />
      {query.data && listed.length === 0 && <p className="py-4 text-text-2">{t("noProjects")}</p>}
      <ul>
        {listed.map(({ id, name }) => (
          <ProjectRow
            key={id}
            name={name}
            account={account}
            settings={stored.find((settings) => settings.project_id === id) ?? { project_id: id, muted: false, kinds: {} }}
            startsOpen={touched.get(id) === "added"}
            onChange={() => touch(id, "changed")}
          />
        ))}
      </ul>
    </ListSection>
  );
}

const hasOwnSettings = ({ muted, kinds }: ProjectNotificationSettings): boolean => muted || Object.keys(kinds).length > 0;

interface RowProps {
  name: string;
  account: NotificationSettings;
  settings: ProjectNotificationSettings;
  startsOpen: boolean;
  onChange(): void;
}

function ProjectRow({ name, account, settings: { project_id: projectId, muted, kinds }, startsOpen, onChange }: RowProps) {
  const changeSettings = useChangeProjectSettings();
  const [isOpen, setIsOpen] = useState(startsOpen);
  const ownKinds = PROJECT_KINDS.filter((kind) => kinds[kind] !== undefined);
  const change = (changes: Parameters<typeof changeSettings>[0]["changes"]) => {
    onChange();
    changeSettings({ projectId, changes });
  };
  const reset = () => change({ kinds: Object.fromEntries(ownKinds.map((kind) => [kind, null])) });
  const channelsOf = (kind: NotificationKind) => ({ ...account.kinds[kind], ...kinds[kind] });
  return (
    <li className="-mx-4 border-b border-line px-4 py-3 last:border-0">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <p className="min-w-0 flex-1 truncate font-medium">
          <bdi>{name}</bdi>
          {ownKinds.length > 0 && <span className="ml-2 text-sm font-normal text-text-3">{t("customized", { count: ownKinds.length })}</span>}
        </p>
        <CheckField label={t("mute")} aria-label={`${t("mute")} ${name}`} checked={muted} onChange={(isChecked) => change({ muted: isChecked })} />
        <Button size="sm" aria-expanded={isOpen} disabled={muted} onClick={() => setIsOpen(!isOpen)}>
          {t(isOpen && !muted ? "done" : "customize")}
        </Button>
      </div>
      {isOpen && !muted && (
        <div role="group" aria-label={t("projectOptions", { project: name })} className="mt-2">
          <ChannelTable kinds={PROJECT_KINDS} channelsOf={channelsOf} onChange={(kind, channels) => change({ kinds: { [kind]: channels } })} />
          {ownKinds.length > 0 && (
            <Button size="sm" variant="ghost" className="mt-2" onClick={reset}>
              {t("reset")}
            </Button>
          )}
        </div>
      )}
    </li>
  );
}
