import { useState } from 'react';
import { goTo } from '../app/useRoute';
import { drawingOf } from '../games';
import { JoinLinks } from '../lobby/JoinLinks';
import { SettingsForm } from '../lobby/SettingsForm';
import type { TableState } from '../state/table';
import { t, tell } from '../texts';
import { Dialog } from '../ui/Dialog';
import { Icon } from '../ui/Icon';
import { invitations } from '../wire/keeping';
import { KeyHelp } from './KeyHelp';
import { ShareTools } from './ShareTools';

export type MenuPage = 'menu' | 'settings' | 'rules' | 'help' | 'invite';

export interface MenuProps {
  readonly state: TableState;
  readonly token: string;
  readonly first: MenuPage;
  readonly onClose: () => void;
}

/** The menu of the table; the game goes on behind it. */
export function Menu({ state, token, first, onClose }: MenuProps) {
  const [page, setPage] = useState(first);
  const { game, id } = state.info;
  const invited = invitations(id);
  const Rules = drawingOf(game)?.Rules;
  return (
    <Dialog title={tell(`menu.${page}`)} onClose={onClose} className={`menu-${page}`}>
      {page === 'menu' && (
        <ul className="menu-list">
          <Item icon="table" text={t('menu.return')} onClick={onClose} />
          <Item icon="resume" text={t('menu.new')} onClick={() => goTo({ at: 'new', game })} />
          <Item icon="gear" text={t('menu.settings')} onClick={() => setPage('settings')} />
          <Item icon="book" text={t('menu.rules')} onClick={() => setPage('rules')} />
          <Item icon="help" text={t('menu.help')} onClick={() => setPage('help')} />
          {invited.length > 0 && (
            <Item icon="share" text={t('menu.invite')} onClick={() => setPage('invite')} />
          )}
          <Item icon="home" text={t('menu.lobby')} onClick={() => goTo({ at: 'lobby' })} />
        </ul>
      )}
      {page === 'settings' && <SettingsForm />}
      {page === 'rules' && (
        <article className="rules">{Rules ? <Rules /> : t('rules.none')}</article>
      )}
      {page === 'help' && <KeyHelp />}
      {page === 'invite' && <JoinLinks table={id} seats={invited} />}
      {page !== 'menu' && first === 'menu' && (
        <button type="button" onClick={() => setPage('menu')}>
          {t('menu.back')}
        </button>
      )}
      {page === 'menu' && state.frame.result && (
        <div className="result-actions">
          <ShareTools state={state} token={token} />
        </div>
      )}
    </Dialog>
  );
}

interface ItemProps {
  readonly icon: Parameters<typeof Icon>[0]['name'];
  readonly text: string;
  readonly onClick: () => void;
}

function Item({ icon, text, onClick }: ItemProps) {
  return (
    <li>
      <button type="button" onClick={onClick}>
        <Icon name={icon} />
        {text}
      </button>
    </li>
  );
}
