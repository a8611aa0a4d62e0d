/** The keys of the stage, as a table. */
import { Kbd, Table } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { KEYS } from "./keymap";
import classes from "./Stage.module.css";

export default function Shortcuts() {
  const { t } = useTranslation();
  return (
    <Table className={classes.keys}>
      <tbody>
        {KEYS.map(({ id, keys }) => (
          <tr key={id}>
            <th scope="row">{t(`stage.keys.${id}`)}</th>
            <td>
              {keys.map((key) => (
                <span key={key}>
                  <Kbd>{key}</Kbd>{" "}
                </span>
              ))}
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
