import type { ReactNode } from "react";
import { NavLink } from "react-router";
import { classNames } from "../lib/class-names.ts";

/** A tab in a page header; the active one is underlined on the header's edge. */
export function TabLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <NavLink
      to={to}
      className={({ isActive }) =>
        classNames(
          "relative inline-flex h-full items-center px-3 whitespace-nowrap transition-colors after:absolute after:inset-x-0 after:-bottom-px after:h-0.5 focus-visible:outline-offset-[-4px]",
          isActive ? "font-semibold text-text after:bg-accent" : "text-text-2 hover:text-text",
        )
      }
    >
      {children}
    </NavLink>
  );
}
