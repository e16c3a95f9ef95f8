import { KeyRound, ScrollText, Terminal, UserX } from "lucide-react";
import { Link, useSearchParams } from "react-router";
import { AUDIT_GROUP_NAMES, AUDIT_GROUPS, type AuditEntry } from "../../../contract/audit.ts";
import { AUDIT_RETENTION_DAYS } from "../../../contract/limits.ts";
import { type Role, ROLES } from "../../../contract/records.ts";
import { useServiceTime } from "../../client/client.ts";
import { AgentBadge } from "../../components/agents/AgentBadge.tsx";
import { ListRow, ListSection, ListState, RowIcon } from "../../components/ListSection.tsx";
import { roleName } from "../../components/role-labels.ts";
import { parseUserAgent } from "../../lib/browser.ts";
import { formatUrl } from "../../lib/format.ts";
import { t as tBrowsers } from "../../lib/texts/browsers.ts";
import { t } from "../../lib/texts/settings.ts";
import { formatDateTime, formatDayTime } from "../../lib/time.ts";
import { AUDIT_SPANS, type AuditFilter, useAuditLog } from "../../queries/audit.ts";
import { useMembers } from "../../queries/members.ts";
import { Avatar } from "../../components/Avatar.tsx";
import { Button } from "../../ui/Button.tsx";
import { EmptyState } from "../../ui/EmptyState.tsx";
import { Select } from "../../ui/Select.tsx";

const SPAN_OPTIONS = [
  [null, t("auditAnyTime")],
  ["day", t("auditDay")],
  ["week", t("auditWeek")],
  ["month", t("auditMonth")],
] as const;
const GROUP_OPTIONS = [[null, t("auditAllGroups")], ...AUDIT_GROUP_NAMES.map((group) => [group, AUDIT_GROUPS[group]] as const)] as const;

/** Reads the filter from the URL; ignores unknown values. */
function parseFilter(search: URLSearchParams): AuditFilter {
  const person = Number(search.get("person"));
  const span = search.get("time") ?? "";
  return {
    accountId: Number.isSafeInteger(person) && person > 0 ? person : null,
    group: AUDIT_GROUP_NAMES.find((group) => group === search.get("group")) ?? null,
    span: Object.hasOwn(AUDIT_SPANS, span) ? (span as keyof typeof AUDIT_SPANS) : null,
  };
}

/** Lists sign-ins and changes, newest first; the URL has the filter. */
export function AuditPage() {
  const [search, setSearch] = useSearchParams();
  const filter = parseFilter(search);
  const log = useAuditLog(filter);
  const isFiltered = filter.accountId !== null || filter.group !== null || filter.span !== null;
  const setParam = (name: string, value: string | number | null) =>
    setSearch(
      (current) => {
        const next = new URLSearchParams(current);
        if (value === null) next.delete(name);
        else next.set(name, String(value));
        return next;
      },
      { replace: true },
    );
  return (
    <>
      <ListSection title={t("audit")} lead={t("auditLead", { days: AUDIT_RETENTION_DAYS })} actions={<Filters filter={filter} onChange={setParam} />}>
        <ListState query={{ ...log, data: log.entries }} rows={6} />
        {log.entries?.length === 0 &&
          (isFiltered ? (
            <EmptyState title={t("auditNoMatches")} actions={<Button onClick={() => setSearch({}, { replace: true })}>{t("auditClear")}</Button>} />
          ) : (
            <EmptyState icon={<ScrollText size={22} aria-hidden />} title={t("auditEmpty")} />
          ))}
        <ul>
          {log.entries?.map((entry) => (
            <EntryRow key={entry.id} entry={entry} />
          ))}
        </ul>
      </ListSection>
      {log.hasNextPage && (
        <Button pending={log.isFetchingNextPage} onClick={() => void log.fetchNextPage()}>
          {t("auditOlder")}
        </Button>
      )}
    </>
  );
}

function Filters({ filter, onChange }: { filter: AuditFilter; onChange(name: string, value: string | number | null): void }) {
  const members = useMembers().data ?? [];
  const people = members.toSorted((a, b) => a.username.localeCompare(b.username)).map(({ id, username }) => [id, username] as const);
  return (
    <div className="grid w-full grid-cols-2 gap-2 tablet:grid-cols-3">
      <Select
        compact
        className="col-span-2 tablet:col-span-1"
        label={t("auditPerson")}
        value={filter.accountId}
        options={[[null, t("auditEveryone")], ...people]}
        onChange={(id) => onChange("person", id)}
      />
      <Select compact label={t("auditGroup")} value={filter.group} options={GROUP_OPTIONS} onChange={(group) => onChange("group", group)} />
      <Select compact label={t("auditTime")} value={filter.span} options={SPAN_OPTIONS} onChange={(span) => onChange("time", span)} />
    </div>
  );
}

/** Returns the path of the page that shows the target, or null if no page does. */
function targetPath({ action, target }: AuditEntry): string | null {
  const { type, id, project_id, file_id } = target;
  if (type === "message") return project_id === null ? null : `/projects/${project_id}/chat/${id}`;
  if (type === "comment") return file_id === null ? null : `/files/${file_id}`;
  // What was deleted has no page any more.
  if (target.name === null || action.endsWith(".deleted")) return null;
  if (type === "project") return `/projects/${id}`;
  if (type === "file" || type === "task") return file_id === null ? null : `/files/${file_id}`;
  if (type === "account") return `/settings/members?person=${id}`;
  if (type === "webhook_endpoint") return `/settings/webhooks/${id}`;
  return null;
}

/** Returns the role's name; the value itself for a role that this version does not know. */
const formatRole = (value: string): string => (ROLES.includes(value as Role) ? roleName(value as Role) : value);

/** Returns the facts of an entry that its text and target do not contain. */
function describeDetail({ action, about, detail }: AuditEntry): string[] {
  const facts: string[] = [];
  const { from, to, count, method, user_agent: userAgent, role } = detail;
  if (about) facts.push(action === "invite.accepted" ? t("auditInvitedBy", { name: about.username }) : about.username);
  // A username may be the word for a role.
  const format = action === "account.role_changed" ? formatRole : String;
  if (typeof from === "string" && typeof to === "string") facts.push(t("auditChange", { from: format(from), to: format(to) }));
  if (typeof role === "string") facts.push(formatRole(role));
  if (typeof count === "number" && action.endsWith(".failed")) facts.push(t("auditAttempts", { count }));
  if (typeof count === "number" && action.startsWith("file.") && count > 1) facts.push(t("auditItems", { count }));
  if (typeof method === "string") facts.push(t("auditMethod", { method }));
  if (typeof userAgent === "string") {
    const { browser, system } = parseUserAgent(userAgent);
    if (browser && system) facts.push(tBrowsers("browserOn", { browser, system }));
  }
  return facts;
}

function EntryRow({ entry }: { entry: AuditEntry }) {
  const now = useServiceTime();
  const { account, api_token: token, address, target } = entry;
  const path = targetPath(entry);
  const who = account?.username ?? (address === null ? t("auditCommandLine") : t("auditNobody"));
  // The actor's own account and session need no name beside the actor's.
  const isOwn = (target.type === "account" && target.id === account?.id) || target.type === "session";
  const name = isOwn || target.name === null ? null : target.type === "webhook_endpoint" ? formatUrl(target.name) : target.name;
  const facts = [...(token ? [t("auditToken", { name: token.name })] : []), ...describeDetail(entry), ...(address === null ? [] : [address])];
  const Icon = token ? KeyRound : address === null ? Terminal : UserX;
  return (
    <ListRow
      picture={
        account ? (
          <Avatar id={account.id} name={account.username} url={null} />
        ) : (
          <RowIcon>
            <Icon size={16} aria-hidden />
          </RowIcon>
        )
      }
      title={
        // The parts wrap as one sentence.
        <span className="line-clamp-4 min-w-0 text-text-2 wrap-anywhere">
          <bdi className="font-medium text-text">{who}</bdi>
          <AgentBadge accountId={account?.id ?? null} className="align-[-2px]" /> {entry.text.charAt(0).toLowerCase() + entry.text.slice(1)}{" "}
          {name !== null &&
            (path === null ? (
              <bdi className="text-text">{name}</bdi>
            ) : (
              <Link to={path} className="text-link hover:underline">
                <bdi>{name}</bdi>
              </Link>
            ))}
        </span>
      }
      details={
        <>
          <time dateTime={entry.created_at} title={formatDateTime(entry.created_at)} className="tabular">
            {formatDayTime(entry.created_at, now)}
          </time>
          {[...new Set(facts)].map((fact) => (
            <span key={fact} className="wrap-anywhere">
              {" · "}
              {fact}
            </span>
          ))}
        </>
      }
    >
      {null}
    </ListRow>
  );
}
