import { useHouse } from '../app/context';
import { t } from '../texts';
import { Icon, type IconName } from '../ui/Icon';
import type { PanelName } from './Panels';

export interface TopBarProps {
  readonly title: string;
  readonly deal: number;
  /** The match before this deal, or with it once it is over: who, and how much. */
  readonly standing: readonly { readonly name: string; readonly total: string }[];
  readonly panel: PanelName | null;
  readonly canUndo: boolean;
  readonly hasTrick: boolean;
  readonly hasPanel: boolean;
  readonly paused: boolean;
  readonly peeks: boolean;
  readonly onMenu: () => void;
  readonly onUndo: () => void;
  readonly onPause: () => void;
  readonly onPeek: () => void;
  readonly onPanel: (panel: PanelName) => void;
}

/** The bar over the table. */
export function TopBar(props: TopBarProps) {
  const { settings, change } = useHouse();
  return (
    <header className="top-bar">
      <Tool icon="menu" label={t('tool.menu')} shortcut="Escape" onClick={props.onMenu} />
      <h1>
        {props.title} <span className="quiet">{t('table.deal', { number: props.deal + 1 })}</span>
      </h1>
      <dl className="standing" aria-label={t('table.match')}>
        {props.standing.map(({ name, total }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{total}</dd>
          </div>
        ))}
      </dl>
      <div className="tools" role="toolbar" aria-label={t('tool.label')}>
        <Tool
          icon="undo"
          label={t('tool.undo')}
          shortcut="u"
          disabled={!props.canUndo}
          onClick={props.onUndo}
          mark="data-undo"
        />
        <Tool
          icon="last"
          label={t('tool.last')}
          shortcut="l"
          disabled={!props.hasTrick}
          pressed={props.peeks}
          onClick={props.onPeek}
        />
        <Tool
          icon="history"
          label={t('tool.history')}
          shortcut="d"
          pressed={props.panel === 'history'}
          onClick={() => props.onPanel('history')}
        />
        <Tool
          icon="sheet"
          label={t('tool.sheet')}
          shortcut="s"
          pressed={props.panel === 'sheet'}
          onClick={() => props.onPanel('sheet')}
        />
        {props.hasPanel && (
          <Tool
            icon="eye"
            label={t('tool.game')}
            shortcut="g"
            pressed={props.panel === 'game'}
            onClick={() => props.onPanel('game')}
          />
        )}
        <Tool
          icon={props.paused ? 'resume' : 'pause'}
          label={t(props.paused ? 'tool.resume' : 'tool.pause')}
          shortcut="p"
          pressed={props.paused}
          onClick={props.onPause}
        />
        <Tool
          icon={settings.sound ? 'sound' : 'mute'}
          label={t(settings.sound ? 'tool.mute' : 'tool.unmute')}
          shortcut="m"
          onClick={() => change({ sound: !settings.sound })}
        />
      </div>
    </header>
  );
}

interface ToolProps {
  readonly icon: IconName;
  readonly label: string;
  readonly shortcut: string;
  readonly onClick: () => void;
  readonly disabled?: boolean;
  readonly pressed?: boolean;
  readonly mark?: string;
}

function Tool({ icon, label, shortcut, onClick, disabled, pressed, mark }: ToolProps) {
  return (
    <button
      type="button"
      className="icon-button"
      title={`${label} (${shortcut === 'Escape' ? 'Esc' : shortcut})`}
      aria-label={label}
      aria-keyshortcuts={shortcut}
      aria-pressed={pressed}
      disabled={disabled}
      onClick={onClick}
      {...(mark ? { [mark]: true } : {})}
    >
      <Icon name={icon} />
    </button>
  );
}
