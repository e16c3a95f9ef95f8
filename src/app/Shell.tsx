import { Outlet } from "react-router";

export function Shell() {
  return (
    <main className="h-full">
      <Outlet />
    </main>
  );
}
