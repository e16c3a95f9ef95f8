import { altKeys, commandKeys } from "../../lib/browser.ts";
import { t } from "../../lib/texts/dialogs.ts";
import { Dialog } from "../../ui/Dialog.tsx";
import { Kbd } from "../../ui/Kbd.tsx";

const SHORTCUT_SECTIONS = [
  {
    title: "helpAnywhere",
    keys: [
      [commandKeys("K"), "helpSearch"],
      ["?", "helpShortcuts"],
      [altKeys("↑"), "helpPrevious"],
      [altKeys("↓"), "helpNext"],
      [commandKeys("Z"), "helpStatusUndo"],
      ["Esc", "helpClose"],
    ],
  },
  {
    title: "helpChat",
    keys: [
      ["Enter", "helpSend"],
      ["Shift Enter", "helpBreak"],
      ["/", "searchChat"],
    ],
  },
  {
    title: "helpMessage",
    keys: [
      ["↑ / ↓", "helpMove"],
      ["Enter", "helpMenu"],
      ["R", "helpReply"],
      ["E", "helpEdit"],
      ["+", "helpReact"],
      ["F", "helpFavorite"],
      ["C", "helpCopy"],
      ["U", "helpUnread"],
      ["Del", "helpDelete"],
      ["Esc", "helpComposer"],
    ],
  },
  {
    title: "helpList",
    keys: [
      ["↑ / ↓", "helpListMove"],
      ["Space", "helpListSelect"],
      [commandKeys("A"), "helpListAll"],
      ["Enter", "helpListOpen"],
      ["A–Z", "helpListFind"],
      ["/", "helpListSearch"],
      ["F2", "helpListRename"],
      ["Enter", "helpListDrag"],
      ["Del", "helpListDelete"],
      [commandKeys("Z"), "helpListUndo"],
      ["Shift F10", "helpMenu"],
    ],
  },
  {
    title: "helpFile",
    keys: [
      ["Space", "helpPlay"],
      ["J / L", "helpTen"],
      ["← / →", "helpFive"],
      [", / .", "helpFrame"],
      ["I / O", "helpLoop"],
      ["+ / −", "helpZoom"],
      ["0", "helpFit"],
      ["Drag", "helpSelectPart"],
      ["Shift drag", "helpPan"],
      ["1–9", "helpTenths"],
      ["Home / End", "helpStartEnd"],
      ["M", "helpComment"],
      ["N / P", "helpNextComment"],
      ["T", "helpTap"],
    ],
  },
  {
    title: "helpComments",
    keys: [
      ["↑ / ↓", "helpCommentMove"],
      ["Enter", "helpGoTo"],
      ["R", "helpReply"],
      ["D", "helpResolve"],
      ["E", "helpEditComment"],
      ["C", "helpCopy"],
      ["Del", "helpDelete"],
      [`${altKeys("I")} / ${altKeys("O")}`, "helpRange"],
    ],
  },
] as const;

export function ShortcutsDialog({ onClose }: { onClose(): void }) {
  return (
    <Dialog title={t("helpTitle")} onClose={onClose} lightDismiss>
      <div className="flex flex-col gap-5">
        {SHORTCUT_SECTIONS.map(({ title, keys }) => (
          <section key={title}>
            <h3 className="mb-1 text-sm font-semibold text-text-2">{t(title)}</h3>
            <dl>
              {keys.map(([key, meaning]) => (
                <div key={meaning} className="flex items-center justify-between gap-4 border-b border-line py-2 last:border-0">
                  <dt>{t(meaning)}</dt>
                  <dd>
                    <Kbd>{key}</Kbd>
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
