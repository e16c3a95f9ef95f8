import { describeLocalTime } from "../../../components/people/local-time.ts";
import { useMinute } from "../../../components/people/use-minute.ts";
import { t } from "../../../lib/texts/local-time.ts";
import { useChat } from "../chat-context.ts";

interface Props {
  /** Those whom the message mentions or replies to. */
  accountIds: readonly number[];
}

/** Says who is outside their working hours of those whom the message notifies. */
export function OffHoursHint({ accountIds }: Props) {
  const { user, personOf } = useChat();
  const now = useMinute();
  const people = [...new Set(accountIds)].flatMap((id) => {
    const { account } = personOf(id) ?? {};
    const localTime = account && id !== user?.accountId ? describeLocalTime(account, now) : null;
    return account && localTime?.isOffHours ? [{ name: account.username, time: localTime.time }] : [];
  });
  const [first, second] = people;
  if (!first) return null;
  return (
    <p role="status" className="px-3.5 pt-1 text-xs text-text-3">
      {!second
        ? t("offHoursOf", first)
        : people.length === 2
          ? t("offHoursOfTwo", { first: first.name, second: second.name })
          : t("offHoursOfMany", { names: `${first.name}, ${second.name}`, count: people.length - 2 })}
    </p>
  );
}
