import { useTranslation } from 'react-i18next';

interface Props {
  /** The kind of who acted, as the audit log has it. */
  readonly actor: string;
  /** Of the API key or the provider application. */
  readonly actorId: number | null;
  /** Of the console's user. */
  readonly actorName: string | null;
}

const kinds = ['api_key', 'realm', 'provider', 'operator', 'console'] as const;

/** Who acted. */
export function ActorName({ actor, actorId, actorName }: Props) {
  const { t } = useTranslation();
  const kind = kinds.find((each) => each === actor);
  return kind ? t(`actor.${kind}`, { id: actorId, name: actorName }) : actor;
}
