import { Bot, Clock, Mail, Pencil } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { t } from "../../lib/texts/local-time.ts";
import type { PersonAccount } from "../../queries/members.ts";
import { useSession } from "../../queries/session.ts";
import { buttonClasses } from "../../ui/Button.tsx";
import { type AnchorRect, Floating } from "../../ui/Floating.tsx";
import { AgentBadge } from "../agents/AgentBadge.tsx";
import { Avatar } from "../Avatar.tsx";
import { roleName } from "../role-labels.ts";
import { describeLocalTime, describeWorkingHours } from "./local-time.ts";
import { useMinute } from "./use-minute.ts";

interface Props {
  account: PersonAccount;
  anchor: AnchorRect;
  onClose(): void;
}

/** Shows who a person is, what time it is for them, and how to reach them. */
export function PersonCard({ account, anchor, onClose }: Props) {
  const session = useSession();
  const isSelf = session.account.id === account.id;
  const now = useMinute();
  const localTime = describeLocalTime(account, now);
  const hours = describeWorkingHours(account);
  return (
    <Floating label={t("profileOf", { name: account.username })} anchor={anchor} onClose={onClose} className="w-80 p-4">
      <div className="flex items-center gap-4">
        <Avatar id={account.id} name={account.username} url={account.avatar_url} size="xl" />
        <div className="min-w-0">
          <h2 className="text-lg font-semibold wrap-anywhere">
            <bdi>{account.username}</bdi>
            <AgentBadge accountId={account.id} className="align-[3px]" />
            {isSelf && <span className="ml-1.5 text-sm font-normal text-text-3">{t("you")}</span>}
          </h2>
          {account.role && <p className="text-sm text-text-2">{account.is_agent ? t("agent") : roleName(account.role)}</p>}
        </div>
      </div>
      {account.user_info !== "" && <p className="mt-3 text-sm wrap-anywhere whitespace-pre-line text-text-2">{account.user_info}</p>}
      {localTime && (
        <Row icon={<Clock size={16} aria-hidden />}>
          {[t("localTime", { time: localTime.time }), !isSelf && localTime.difference].filter(Boolean).join(" · ")}
          {hours && (
            <span className="block text-text-3">
              {t("workingHours", { hours })}
              {localTime.isOffHours && <span className="block font-medium text-text-2">{t("offHours")}</span>}
            </span>
          )}
        </Row>
      )}
      {account.email !== "" && (
        <Row icon={<Mail size={16} aria-hidden />}>
          <a href={`mailto:${account.email}`} className="break-all underline underline-offset-2">
            {account.email}
          </a>
        </Row>
      )}
      {account.is_agent && (
        <Link to={`/settings/agents/${account.id}`} className={`${buttonClasses()} mt-4 w-full`} onClick={onClose}>
          <Bot size={16} aria-hidden />
          {t("aboutAgent")}
        </Link>
      )}
      {isSelf && (
        <Link to="/settings/profile" className={`${buttonClasses()} mt-4 w-full`} onClick={onClose}>
          <Pencil size={16} aria-hidden />
          {t("editProfile")}
        </Link>
      )}
    </Floating>
  );
}

function Row({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <div className="mt-3 flex items-start gap-2.5 text-sm text-text-2">
      <span className="mt-0.5 shrink-0 text-text-3">{icon}</span>
      <p className="min-w-0">{children}</p>
    </div>
  );
}
