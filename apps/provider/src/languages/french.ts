import type { Catalogue } from './texts.ts';

export const french: Catalogue = {
  direction: 'ltr',
  texts: {
    player: {
      course: 'Cours',
      contents: 'Sommaire',
      previous: 'Précédent',
      continue: 'Continuer',
      endCourse: 'Terminer le cours',
      exit: 'Quitter',
      goBack: 'Retour',
      needsJavaScript: 'Ce cours nécessite JavaScript.',
      review: 'Consultation : rien n’est enregistré',
      saved: 'Enregistré',
      notSaved: 'Pas encore enregistré. Nouvelle tentative…',
      choosePart: 'Choisissez une partie du cours.',
      partEnded:
        'Cette partie est terminée. Choisissez-en une autre ou quittez le cours avec « Quitter ».',
      unreachable:
        'Le cours est inaccessible. Vérifiez votre connexion, puis rechargez cette page.',
      opener: {
        open: 'Ouvrir le cours',
        opens: 'Le cours s’ouvre dans une nouvelle fenêtre.',
        isOpen: 'Le cours est ouvert dans une autre fenêtre.',
        closed: 'La fenêtre du cours a été fermée.',
        blocked: 'Le navigateur n’a pas ouvert de fenêtre pour le cours. Ouvrez-le ici.',
      },
      confirmExit: {
        question: 'Cette partie est terminée. Voulez-vous quitter le cours ?',
        leave: 'Quitter le cours',
        stay: 'Rester',
      },
      offline: {
        cause: 'Le cours est inaccessible.',
        savedUntil: 'Vos résultats sont enregistrés jusqu’à {time}.',
        unsaved: {
          one: '{count} résultat n’est pas encore enregistré.',
          other: '{count} résultats ne sont pas encore enregistrés.',
        },
        allSaved: 'Tous vos résultats sont enregistrés.',
        goesOn:
          'Les tentatives continuent, et le cours reprendra tout seul. Gardez cette fenêtre ouverte.',
      },
      statuses: {
        notStarted: 'Non commencé',
        inProgress: 'En cours',
        completed: 'Terminé',
        passed: 'Réussi',
        failed: 'Échoué',
      },
      refusals: {
        unavailable: 'Cette partie ne fait pas partie de cette tentative.',
        notChoosable: 'On accède à cette partie avec « Continuer » et « Précédent ».',
        hidden: 'Cette partie ne peut pas être choisie maintenant.',
        disabled: 'Cette partie n’est pas disponible maintenant.',
        noAttemptsLeft: 'Toutes les tentatives pour cette partie ont été utilisées.',
        noFlow: 'Choisissez une partie dans le sommaire.',
        forwardOnly: 'Ce cours ne permet pas de revenir en arrière.',
        stopped: 'Une partie précédente doit d’abord être terminée.',
        choiceExit: 'La partie ouverte doit d’abord être terminée.',
        preventActivation: 'On accède à cette partie depuis celles qui la précèdent.',
        constrained: 'Seules les parties voisines de la partie ouverte peuvent être choisies.',
        nothingThere: 'Il n’y a pas d’autre partie ici.',
        prerequisites: 'D’autres parties doivent d’abord être terminées.',
        notNow: 'Ce n’est pas possible maintenant.',
      },
      endings: {
        completed: {
          title: 'Vous avez terminé le cours',
          text: 'Votre résultat est enregistré. Vous pouvez fermer cette fenêtre.',
        },
        failed: {
          title: 'Vous n’avez pas réussi le cours',
          text: 'Votre résultat est enregistré. Vous pouvez fermer cette fenêtre.',
        },
        suspended: {
          title: 'Vous avez quitté le cours',
          text: 'Votre progression est enregistrée. Ouvrez à nouveau le cours pour continuer. Vous pouvez fermer cette fenêtre.',
        },
        review: {
          title: 'Vous avez quitté le cours',
          text: 'C’était une consultation : rien n’a été enregistré. Vous pouvez fermer cette fenêtre.',
        },
        left: {
          title: 'Vous avez quitté le cours',
          text: 'Vos résultats sont enregistrés. Vous pouvez fermer cette fenêtre.',
        },
      },
      stops: {
        openElsewhere: {
          title: 'Cette fenêtre n’est plus active',
          text: 'Le cours a été ouvert à nouveau, ou quitté, dans une autre fenêtre. Continuez dans celle-ci ou ouvrez à nouveau le cours.',
        },
        ended: {
          title: 'Cette fenêtre n’est plus active',
          text: 'Plus rien ne peut être enregistré ici. Ouvrez à nouveau le cours là où vous l’avez trouvé.',
        },
      },
    },
    notices: {
      ended: {
        title: 'Cette fenêtre n’est plus active',
        text: 'Le cours a été quitté ici. Retournez là où vous avez ouvert le cours et ouvrez-le à nouveau.',
      },
      expired: {
        title: 'Ce lien a expiré',
        text: 'Un lien vers un cours n’est valable que peu de temps. Retournez là où vous avez ouvert le cours et ouvrez-le à nouveau.',
      },
      used: {
        title: 'Ce lien a déjà été utilisé',
        text: 'Un lien vers un cours n’ouvre qu’une seule fenêtre. Retournez là où vous avez ouvert le cours et ouvrez-le à nouveau.',
      },
      invalid: {
        title: 'Ce lien n’ouvre aucun cours',
        text: 'Retournez là où vous avez ouvert le cours et ouvrez-le à nouveau.',
      },
    },
  },
};
