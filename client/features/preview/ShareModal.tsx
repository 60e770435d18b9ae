import { useEffect, useState } from "react";
import texts from "../../../locales/en/preview-panel.json";
import { Button } from "../../widgets/button/Button.tsx";
import { Modal } from "../../widgets/modal/Modal.tsx";
import { Notification } from "../../widgets/notification/Notification.tsx";
import { shareLink } from "./preview-service.ts";
import { describeTime } from "./zoned-time.ts";

interface ShareModalProps {
  timeZone: string;
  onClose: () => void;
}

type Link = Awaited<ReturnType<typeof shareLink>>;

/** Creates a link by which other staff see the same page at the same moment. */
export function ShareModal({ timeZone, onClose }: ShareModalProps) {
  const [link, setLink] = useState<Link | "loading">("loading");
  const [copied, setCopied] = useState<"share.copied" | "share.copyFailed">();

  useEffect(() => {
    void shareLink(location.pathname + location.search).then(setLink);
  }, []);

  // Without HTTPS the browser has no clipboard.
  const copy = (url: string) =>
    Promise.resolve(navigator.clipboard?.writeText(url) ?? Promise.reject()).then(
      () => setCopied("share.copied"),
      () => setCopied("share.copyFailed"),
    );
  return (
    <Modal size="S" title={texts["share.title"]} closeLabel={texts.close} open onClose={onClose}>
      {link === "loading" && <p>{texts["apply.loading"]}</p>}
      {!link && (
        <div role="alert">
          <Notification state="error" variant="copysize" label={texts.error}>
            {texts["share.failed"]}
          </Notification>
        </div>
      )}
      {link && link !== "loading" && (
        <>
          <p>{texts["share.introduction"]}</p>
          <p>
            <a className="sf-preview-link" href={link.url}>
              {link.url}
            </a>
          </p>
          <p>
            {texts["share.expires"]} {describeTime(link.expiresAt, timeZone)}.
          </p>
          <Button onClick={() => copy(link.url)}>{texts["share.copy"]}</Button>
          <p role="status">{copied && texts[copied]}</p>
        </>
      )}
    </Modal>
  );
}
