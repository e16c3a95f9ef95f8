import { X } from "lucide-react";
import { useEffect, useEffectEvent, type ReactNode } from "react";
import { classes } from "../../lib/classes.ts";
import { t } from "../../lib/messages/status.ts";
import { undoable, type Choice } from "../../queries/statuses/choices.ts";
import { useChoiceKeeper, useChoices } from "../../queries/statuses/use-choices.ts";
import { announce } from "../../ui/announce.ts";
import { Button } from "../../ui/Button.tsx";
import { IconButton } from "../../ui/IconButton.tsx";
import { overtakenWords, whatOf } from "./choice-words.ts";
import { Countdown } from "./Countdown.tsx";
import { useIsInPlace } from "./in-place.ts";
import { StatusBadge } from "./StatusBadge.tsx";

/** Where Ctrl+Z takes back what was typed. */
const TEXT_FIELDS = "textarea, input:not([type=range], [type=radio], [type=checkbox], [type=button], [type=submit])";

/** Choices that no place of the view shows. */
export function useShownChoices(): readonly Choice[] {
  const isInPlace = useIsInPlace();
  const ends = new Set(["overtaken", "refused", "left"]);
  return useChoices().filter(({ files, state }) => ends.has(state.is) || files.length > 1 || !isInPlace(files[0]!.id));
}

/** Says what has been set, wherever one is by then; Ctrl+Z, Cmd+Z takes back what still can be. */
export function useChoiceEnds(): void {
  const keeper = useChoiceKeeper();
  useEffect(() => keeper.onDone(({ files, status }) => announce(t("set", { what: whatOf(files), status: status.title }))), [keeper]);
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    const writing = event.target instanceof HTMLElement && event.target.matches(TEXT_FIELDS);
    if (event.defaultPrevented || writing || event.shiftKey || event.altKey || !(event.metaKey || event.ctrlKey) || event.key.toLowerCase() !== "z") return;
    const choice = document.querySelector("dialog[open]") ? undefined : undoable(keeper.all());
    if (!choice) return;
    // Nothing older is taken back by the same press.
    event.preventDefault();
    keeper.drop(choice.id);
    announce(t("undone", { what: whatOf(choice.files) }));
  });
  useEffect(() => {
    document.addEventListener("keydown", onKeyDown, true);
    return () => document.removeEventListener("keydown", onKeyDown, true);
  }, []);
}

/** Chosen statuses at the page's edge: what counts down elsewhere, and what needs a word. */
export function StatusChoices({ choices }: { choices: readonly Choice[] }): ReactNode {
  return choices.map((choice) => <Card key={choice.id} choice={choice} />);
}

function Card({ choice }: { choice: Choice }) {
  const { state } = choice;
  const calm = state.is === "counting" || state.is === "sending" || state.is === "waiting";
  return (
    <div
      data-status
      className={classes(
        "pointer-events-auto flex min-h-11 max-w-160 flex-wrap items-center gap-x-2 gap-y-1 rounded-lg border bg-raised py-1.5 pr-2 pl-4 shadow-float",
        calm ? "border-line" : "border-line-strong",
      )}
    >
      {calm ? <Counting choice={choice} /> : <Ending choice={choice} />}
    </div>
  );
}

function Counting({ choice }: { choice: Choice }) {
  return (
    <>
      <bdi className="max-w-60 min-w-0 truncate">{whatOf(choice.files)}</bdi>
      <StatusBadge status={choice.status} soon />
      <Countdown choice={choice} />
    </>
  );
}

function wordsOf(choice: Choice): string {
  const { state, status, files } = choice;
  const values = { status: status.title, what: whatOf(files) };
  if (state.is === "overtaken") return overtakenWords(choice);
  return state.is === "refused" ? `${t("refused", values)} ${state.reason}` : t("left", values);
}

/** What did not come to count by itself: said, and offered again where that can help. */
function Ending({ choice }: { choice: Choice }) {
  const keeper = useChoiceKeeper();
  const words = wordsOf(choice);
  useEffect(() => announce(words), [words]);
  const drop = () => keeper.drop(choice.id);
  if (choice.state.is === "refused") {
    return (
      <>
        <span className="min-w-0 flex-1 wrap-anywhere">{words}</span>
        <IconButton label={t("close")} onClick={drop}>
          <X size={16} aria-hidden />
        </IconButton>
      </>
    );
  }
  const overtaken = choice.state.is === "overtaken";
  return (
    <>
      <span className="min-w-0 flex-1 basis-60 wrap-anywhere">{words}</span>
      <span className="ml-auto flex gap-1">
        <Button size="sm" look="ghost" onClick={drop}>
          {t(overtaken ? "leaveIt" : "discard")}
        </Button>
        <Button size="sm" onClick={() => keeper.sendNow(choice.id)}>
          {overtaken ? t("setAnyway", { status: choice.status.title }) : t("setNow")}
        </Button>
      </span>
    </>
  );
}
