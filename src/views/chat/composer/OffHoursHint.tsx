import { useEffect } from "react";
import { describeLocalTime } from "../../../components/people/local-time.ts";
import { useMinute } from "../../../components/people/use-minute.ts";
import { t } from "../../../lib/texts/local-time.ts";
import { announce } from "../../../ui/announce.ts";
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
  const sentence = describePeople(people.map(({ name }) => name));
  // Announced without the time, which changes every minute.
  useEffect(() => {
    if (sentence) announce(sentence);
  }, [sentence]);
  const [first] = people;
  if (!first) return null;
  return <p className="px-3.5 pt-1 text-xs text-text-3">{people.length === 1 ? t("offHoursOf", first) : sentence}</p>;
}

function describePeople([first, second, ...others]: string[]): string | null {
  if (first === undefined) return null;
  if (second === undefined) return t("offHoursOfOne", { name: first });
  return others.length === 0 ? t("offHoursOfTwo", { first, second }) : t("offHoursOfMany", { names: `${first}, ${second}`, count: others.length });
}
