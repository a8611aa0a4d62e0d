/** Which work a connection does. A role that it takes is taken from the others; a role that nobody has
 * falls to the first connection that can do it. */
import { Checkbox } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { Connection } from "@/api/types";
import { ErrorNote } from "@/ui/ErrorNote";
import classes from "./Connections.module.css";
import { changed, ROLES, useChange } from "./changing";

export function Roles({ one }: { one: Connection }) {
  const { t } = useTranslation();
  const change = useChange(one.name);
  return (
    <fieldset className={classes.roles}>
      <legend>{t("connections.roles")}</legend>
      {ROLES.map((role) => (
        <Checkbox
          key={role}
          label={t(`connections.role.${role}`)}
          checked={one.roles.includes(role)}
          disabled={change.isPending}
          onChange={(event) => {
            const without = ROLES.filter((r) => r !== role && one.roles.includes(r));
            const roles = event.currentTarget.checked ? [...without, role] : without;
            change.mutate(changed(one, { roles }));
          }}
        />
      ))}
      {change.error !== null && <ErrorNote error={change.error} />}
    </fieldset>
  );
}
