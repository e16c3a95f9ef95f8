import { Monitor, Smartphone } from "lucide-react";
import type { ReactNode } from "react";
import { ListRow, RowIcon } from "../../components/ListSection.tsx";
import { isMobileBrowser, parseUserAgent } from "../../lib/browser.ts";
import { t } from "../../lib/texts/browsers.ts";

interface Props {
  /** The browser's `User-Agent` header. */
  userAgent: string;
  /** Beside the name. */
  badge?: ReactNode;
  details: ReactNode;
  /** Returns the actions; `name` tells them apart from those of other rows. */
  children(name: string): ReactNode;
}

/** A row of a list of browsers, with the name and the kind of the device. */
export function BrowserRow({ userAgent, badge, details, children }: Props) {
  const name = browserName(userAgent);
  const Icon = isMobileBrowser(userAgent) ? Smartphone : Monitor;
  return (
    <ListRow
      picture={
        <RowIcon>
          <Icon size={16} aria-hidden />
        </RowIcon>
      }
      title={
        <>
          <span className="font-medium">{name}</span>
          {badge}
        </>
      }
      details={details}
    >
      {children(name)}
    </ListRow>
  );
}

function browserName(userAgent: string): string {
  const { browser, system } = parseUserAgent(userAgent);
  if (browser && system) return t("browserOn", { browser, system });
  return browser ?? system ?? t("unknownBrowser");
}
