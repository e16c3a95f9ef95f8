import { type Channels, MAIL_MODES, type MailMode, type NotificationKind } from "../../../../contract/notification-records.ts";
import { classNames } from "../../../lib/class-names.ts";
import { t } from "../../../lib/texts/notifications.ts";
import { useHasFeature } from "../../../queries/service.ts";
import { Select } from "../../../ui/Select.tsx";

const KIND_NAMES: Readonly<Record<NotificationKind, string>> = {
  mention: t("mention"),
  reply: t("reply"),
  comment: t("comment"),
  task_assigned: t("task_assigned"),
  task_due: t("task_due"),
  task_closed: t("task_closed"),
  file_status: t("file_status"),
  webhook_disabled: t("webhook_disabled"),
  invite_accepted: t("invite_accepted"),
};
const KIND_HELP: Readonly<Record<NotificationKind, string>> = {
  mention: t("mentionHelp"),
  reply: t("replyHelp"),
  comment: t("commentHelp"),
  task_assigned: t("task_assignedHelp"),
  task_due: t("task_dueHelp"),
  task_closed: t("task_closedHelp"),
  file_status: t("file_statusHelp"),
  webhook_disabled: t("webhook_disabledHelp"),
  invite_accepted: t("invite_acceptedHelp"),
};
const MAIL_LABELS: Readonly<Record<MailMode, string>> = { off: t("mailOff"), digest: t("mailDigest"), at_once: t("mailAtOnce") };
const MAIL_OPTIONS = MAIL_MODES.map((mode) => [mode, MAIL_LABELS[mode]] as const);

interface Props {
  kinds: readonly NotificationKind[];
  channelsOf(kind: NotificationKind): Channels;
  onChange(kind: NotificationKind, change: Partial<Channels>): void;
}

/** A row for each kind of notification, with where it goes: to the list, and to what else the service has. */
export function ChannelTable({ kinds, channelsOf, onChange }: Props) {
  const hasPush = useHasFeature("push");
  const hasMail = useHasFeature("mail");
  return (
    <table className="w-full border-collapse">
      <thead>
        <tr className="border-b border-line text-sm text-text-2">
          <th scope="col" className="py-2 text-left font-medium">
            {t("kind")}
          </th>
          <th scope="col" className="px-2 py-2 font-medium whitespace-nowrap max-tablet:px-1">
            {t("app")}
          </th>
          {hasPush && (
            <th scope="col" className="px-2 py-2 font-medium">
              {t("push")}
            </th>
          )}
          {hasMail && (
            <th scope="col" className="w-36 py-2 pl-2 text-left font-medium max-tablet:w-28">
              {t("mail")}
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {kinds.map((kind) => {
          const { app, push, mail } = channelsOf(kind);
          const name = KIND_NAMES[kind];
          const check = (channel: "app" | "push", isChecked: boolean) => (
            <td className="px-2 text-center">
              <label className="inline-flex size-8 items-center justify-center pointer-coarse:size-11">
                <input
                  type="checkbox"
                  checked={isChecked}
                  aria-label={t("channelOf", { kind: name, channel: t(channel) })}
                  onChange={(event) => onChange(kind, { [channel]: event.target.checked })}
                />
              </label>
            </td>
          );
          return (
            <tr key={kind} className="border-b border-line last:border-0">
              <th scope="row" className="py-2.5 text-left font-normal">
                <span className="block font-medium">{name}</span>
                <span className={classNames("block text-sm text-text-3", hasMail && "max-tablet:hidden")}>{KIND_HELP[kind]}</span>
              </th>
              {check("app", app)}
              {hasPush && check("push", push)}
              {hasMail && (
                <td className="pl-2">
                  <Select
                    compact
                    label={t("channelOf", { kind: name, channel: t("mail") })}
                    value={mail}
                    options={MAIL_OPTIONS}
                    onChange={(mode) => onChange(kind, { mail: mode })}
                  />
                </td>
              )}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
