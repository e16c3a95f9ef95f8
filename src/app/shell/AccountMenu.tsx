import { Keyboard, LogOut, UserPen } from "lucide-react";
import { useNavigate } from "react-router";
import { Avatar } from "../../components/Avatar.tsx";
import { t } from "../../lib/texts/account-menu.ts";
import { useSession } from "../../queries/session.ts";
import { useSignOut } from "../../sync/live/use-sign-out.ts";
import { useUnsentCount } from "../../sync/outbox/use-outbox.ts";
import { useUnfinishedUploadCount } from "../../sync/uploads/use-uploads.ts";
import { Menu, MenuItem, MenuSeparator } from "../../ui/Menu.tsx";
import { useOpenDialog } from "../dialogs/dialog-context.ts";

/** Opens what belongs to the signed-in user. `className`: of its button in the rail. */
export function AccountMenu({ className }: { className: string }) {
  const { account } = useSession();
  const navigate = useNavigate();
  const openDialog = useOpenDialog();
  const signOut = useSignOut();
  const unsent = useUnsentCount() + useUnfinishedUploadCount();
  return (
    <Menu
      label={t("menu", { name: account.username })}
      triggerClassName={className}
      trigger={
        <>
          <Avatar id={account.id} name={account.username} url={account.avatar_url} size="sm" />
          <span className="min-w-0 truncate narrow:sr-only">{account.username}</span>
        </>
      }
    >
      <MenuItem icon={<UserPen size={16} aria-hidden />} onSelect={() => void navigate("/settings/profile")}>
        {t("profile")}
      </MenuItem>
      <MenuItem icon={<Keyboard size={16} aria-hidden />} onSelect={() => openDialog({ kind: "shortcuts" })}>
        {t("shortcuts")}
      </MenuItem>
      <MenuSeparator />
      <MenuItem icon={<LogOut size={16} aria-hidden />} onSelect={() => (unsent > 0 ? openDialog({ kind: "sign-out" }) : signOut.mutate())}>
        {t("signOut")}
      </MenuItem>
    </Menu>
  );
}
