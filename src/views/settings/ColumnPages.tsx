import { Outlet } from "react-router";

/** Lays out the settings pages that are a single column. */
export function ColumnPages() {
  return (
    <div className="h-full overflow-y-auto">
      <div className="mx-auto w-full max-w-190 px-4 py-6 tablet:px-6 tablet:py-8">
        <Outlet />
      </div>
    </div>
  );
}
