/** What the shell needs only after the first paint, in one chunk. */
import { SignOutDialog } from "../components/SignOutDialog.tsx";
import type { OpenDialog } from "./dialogs/dialog-context.ts";
import { NewGroupDialog, NewPlaylist, NewProjectDialog } from "./dialogs/CreateDialogs.tsx";
import { GroupDialog, ProjectDialog } from "./dialogs/ProjectDialogs.tsx";
import { ShortcutsDialog } from "./dialogs/ShortcutsDialog.tsx";

export { PaletteResults } from "./palette/PaletteResults.tsx";
export { AccountMenu } from "./shell/AccountMenu.tsx";
export { CreateMenu } from "./shell/CreateMenu.tsx";
export { MiniPlayer } from "./shell/MiniPlayer.tsx";
export { NotificationCount } from "./shell/NotificationCount.tsx";
export { RailFavorites } from "./shell/RailFavorites.tsx";
export { RailScroll } from "./shell/RailScroll.tsx";
export { QueueUpdates } from "./shell/QueueUpdates.tsx";
export { NotificationArea } from "./shell/NotificationArea.tsx";
export { PushConnection } from "./shell/PushConnection.tsx";
export { TabIcon } from "./shell/TabIcon.tsx";
export { PushPrompt } from "./shell/PushPrompt.tsx";
export { WebhooksBanner } from "./shell/WebhooksBanner.tsx";
export { TokenNotice } from "../components/TokenNotice.tsx";
export { Tooltips } from "../ui/Tooltips.tsx";

/** Renders the dialog that the shell opened, unless it is the palette. */
export function Dialogs({ open, onClose }: { open: OpenDialog; onClose(): void }) {
  switch (open.kind) {
    case "new-project":
      return <NewProjectDialog groupId={open.groupId} onClose={onClose} />;
    case "new-group":
      return <NewGroupDialog onClose={onClose} />;
    case "project":
      return <ProjectDialog id={open.id} action={open.action} onClose={onClose} />;
    case "group":
      return <GroupDialog id={open.id} action={open.action} onClose={onClose} />;
    case "new-playlist":
      return <NewPlaylist onClose={onClose} />;
    case "shortcuts":
      return <ShortcutsDialog onClose={onClose} />;
    case "sign-out":
      return <SignOutDialog onClose={onClose} />;
    case "palette":
      return null;
  }
}
